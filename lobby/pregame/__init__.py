"""Tables before their game: who sits there, what is to be played, who is ready."""
