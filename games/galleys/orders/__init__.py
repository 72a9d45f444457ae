"""Orders: the records, the readers of each verb, which level gives what, and the checks with their judge."""
