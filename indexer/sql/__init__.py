"""Questions of the user's in SQL, and the views that they are asked of."""
