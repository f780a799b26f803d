/** Challenge of a server: an authentication scheme in lower case, with its parameters. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Maximum length of the header in characters. Longer ones are not read. */
const longest = 4_096;

/** Matches the next part of the header: a parameter with a quoted or plain value, or the name of a scheme. */
const part = /[\s,]*(?:([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|([\w-]+))/y;

/** Returns the challenges of a `WWW-Authenticate` header, in their order. Source: RFC 9110, section 11.6.1. */
export const parseChallenges = (header: string | null): readonly Challenge[] => {
  const text = header ?? '';
  const found: { scheme: string; parameters: Map<string, string> }[] = [];
  if (text.length > longest) return found;
  part.lastIndex = 0;
  for (let match = part.exec(text); match; match = part.exec(text)) {
    const [, name, quoted, plain, scheme] = match;
    if (scheme !== undefined) found.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    if (name !== undefined) found.at(-1)?.parameters.set(name.toLowerCase(), value);
  }
  return found;
};
