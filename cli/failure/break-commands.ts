/**
 * Jobs of GitHub Actions obey `##[…]` wherever it stands in a line, on both streams (actions/runner,
 * ActionCommand.TryParse). What strangers wrote must not command: in each notation, this says the same and is none.
 */
export const breakCommands = {
  /** A mark of no width between its parts. */
  text: (text: string): string => text.replaceAll('##[', '##\u{200b}['),
  json: (text: string): string => text.replaceAll('##[', '\\u0023#['),
  xml: (text: string): string => text.replaceAll('##[', '&#35;#['),
} as const;
