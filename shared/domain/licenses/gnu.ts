/** Parsed identifier of a GNU license. */
export interface GnuLicense {
  readonly kind: 'GPL' | 'LGPL' | 'AGPL';
  readonly version: number;
  readonly orLater: boolean;
}

const parse = (name: string): GnuLicense | undefined => {
  const found = /^(A|L)?GPL-([0-9.]+)-(only|or-later)$/.exec(name);
  if (!found) return undefined;
  const [, prefix = '', version, suffix] = found;
  return {
    kind: `${prefix as '' | 'A' | 'L'}GPL`,
    version: Number(version),
    orLater: suffix === 'or-later',
  };
};

const known = new Map<string, GnuLicense | undefined>();
/** Size limit of the cache. Names come from requests, so the cache would grow without limit. */
const maxKnown = 2000;

/** Parses an SPDX identifier such as `LGPL-2.1-or-later`. Returns undefined for other licenses. */
export const parseGnuLicense = (name: string): GnuLicense | undefined => {
  if (known.has(name)) return known.get(name);
  const parsed = parse(name);
  if (known.size < maxKnown) known.set(name, parsed);
  return parsed;
};

/** True if code under versions `a` permits every version that recipients of a work under versions `b` may choose. */
const coversVersions = (a: GnuLicense, b: Omit<GnuLicense, 'kind'>): boolean =>
  a.orLater ? b.version >= a.version : !b.orLater && b.version === a.version;

const intoGpl = (a: GnuLicense, b: GnuLicense): boolean | undefined => {
  if (a.kind === 'GPL') return coversVersions(a, b);
  if (a.kind === 'AGPL') return false;
  if (a.version >= 3) return b.version >= 3;
  return b.version >= 2 ? true : undefined;
};

const intoAgpl = (a: GnuLicense, b: GnuLicense): boolean | undefined => {
  if (b.version < 3 || (a.kind === 'AGPL' && a.version < 3)) {
    return a.kind === b.kind && a.version === b.version ? coversVersions(a, b) : undefined;
  }
  return a.kind === 'LGPL' || coversVersions(a, b);
};

/**
 * Returns whether a work released under `b` may contain code under `a`, with an LGPL work used as a library. Returns
 * undefined where the matrix gives no answer. Source: https://www.gnu.org/licenses/gpl-faq.html#AllCompatibility
 */
export const gnuMayContain = (a: GnuLicense, b: GnuLicense): boolean | undefined => {
  if (b.kind === 'GPL') return intoGpl(a, b);
  return b.kind === 'LGPL' ? a.kind === 'LGPL' : intoAgpl(a, b);
};
