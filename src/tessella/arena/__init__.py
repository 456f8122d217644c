"""Which of two players is the stronger, and by how much: many games on the same deals, and honest intervals."""
