"""Messages between the processes of one database: from the writer to its gateways, and back."""
