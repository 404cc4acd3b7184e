"""What tests share: processes that are really started, and players that really sign."""
