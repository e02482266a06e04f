"""Pure text work: languages, sentences, tokens, passages, verdicts, Markdown safety. No I/O."""
