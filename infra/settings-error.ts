/** The error for wrong settings. The message has one line for each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
