"""Orders: the records (plans), the readers of each verb (reading), which level gives what (levels), the checks."""
