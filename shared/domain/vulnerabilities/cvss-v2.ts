/**
 * CVSS v2 base score, according to FIRST's complete guide, section 3.2.1. Libraries for v4.0 do not support v2. It has
 * not changed since 2007, and only old entries have no newer vector.
 */

const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { L: 0.395, A: 0.646, N: 1 },
  AC: { H: 0.35, M: 0.61, L: 0.71 },
  Au: { M: 0.45, S: 0.56, N: 0.704 },
  C: { N: 0, P: 0.275, C: 0.66 },
  I: { N: 0, P: 0.275, C: 0.66 },
  A: { N: 0, P: 0.275, C: 0.66 },
};

const vector = /^AV:([LAN])\/AC:([HML])\/Au:([MSN])\/C:([NPC])\/I:([NPC])\/A:([NPC])(?:\/|$)/;

/** Returns the base score of a vector such as `AV:N/AC:L/Au:N/C:P/I:N/A:N`, or undefined for other texts. */
export const scoreCvss2 = (text: string): number | undefined => {
  const values = vector.exec(text)?.slice(1);
  if (!values) return undefined;
  const weight = Object.entries(weights).map(([, byValue], at) => byValue[values[at] ?? ''] ?? 0);
  const [access = 0, complexity = 0, authentication = 0, c = 0, i = 0, a = 0] = weight;
  const impact = 10.41 * (1 - (1 - c) * (1 - i) * (1 - a));
  if (impact === 0) return 0;
  const exploitability = 20 * access * complexity * authentication;
  return Math.round((0.6 * impact + 0.4 * exploitability - 1.5) * 1.176 * 10) / 10;
};
