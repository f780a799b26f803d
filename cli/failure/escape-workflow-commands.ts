/**
 * Escapes workflow commands of GitHub Actions in text from the registry. A job obeys `##[…]` anywhere in a line of either
 * stream (actions/runner, ActionCommand.TryParse). Each notation has its own escape.
 */
export const escapeWorkflowCommands = {
  /** Inserts a zero-width space. */
  text: (text: string): string => text.replaceAll('##[', '##\u{200b}['),
  json: (text: string): string => text.replaceAll('##[', '\\u0023#['),
  xml: (text: string): string => text.replaceAll('##[', '&#35;#['),
} as const;
