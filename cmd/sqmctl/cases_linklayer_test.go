package main

var troubledLinkLayer = []troubled{}
