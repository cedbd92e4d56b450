package main

var troubledNetlink = []troubled{}
