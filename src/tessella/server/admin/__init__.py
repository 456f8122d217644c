"""`tessella admin`: stored games, backups, the archive."""
