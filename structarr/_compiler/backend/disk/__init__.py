"""What is kept on disk for other processes: the folder, and what its content depends on."""
