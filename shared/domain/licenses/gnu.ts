/** One of the GNU licenses, its version taken apart. */
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
/** Names come from requests too, so that what is kept must not grow without end. */
const maxKnown = 2000;

/** The GNU license of an SPDX identifier such as `LGPL-2.1-or-later`; undefined for any other license. */
export const parseGnuLicense = (name: string): GnuLicense | undefined => {
  if (known.has(name)) return known.get(name);
  const parsed = parse(name);
  if (known.size < maxKnown) known.set(name, parsed);
  return parsed;
};

/** Whether code under versions `a` may be under all that a whole under versions `b` lets its recipients choose. */
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
 * Whether a work that as a whole is under `b` may contain code under `a`, by the matrix of
 * https://www.gnu.org/licenses/gpl-faq.html#AllCompatibility with an LGPL work used as a library. Undefined where the
 * matrix does not say.
 */
export const gnuMayContain = (a: GnuLicense, b: GnuLicense): boolean | undefined => {
  if (b.kind === 'GPL') return intoGpl(a, b);
  return b.kind === 'LGPL' ? a.kind === 'LGPL' : intoAgpl(a, b);
};
