"""The analyst that asks a language model: prompts as data, answers read whatever shape they have, every call on an account."""
