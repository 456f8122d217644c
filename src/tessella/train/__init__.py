"""Teaching the computer players from games that they play with themselves."""
