import { isClosed, isCopyleft } from '../category.ts';
import { hasUnknownAddition } from '../exceptions.ts';
import type { Pair, Rule } from './compatibility-rule.ts';

const isSame = ({ a, b }: Pair): boolean =>
  a.name === b.name && (b.exception === undefined || a.exception === b.exception);

const isNotKnown = ({ category }: Pair['a']): boolean => category === 'unknown';

const forbidsDerivatives = /-ND-/;

/** Rules that apply before rules on specific licenses. */
export const firstRules: readonly Rule[] = [
  {
    id: 'unknown-addition',
    verdict: 'unknown',
    source: null,
    applies: ({ a, b }) => hasUnknownAddition(a) || hasUnknownAddition(b),
    explain: (a, b) =>
      `SPDX does not know what is added in ${[a, b].filter((name) => name.includes(' WITH ')).join(' or ')}: read it before you combine.`,
  },
  {
    id: 'no-derivatives',
    verdict: 'unknown',
    source: 'https://creativecommons.org/licenses/by-nd/4.0/legalcode',
    applies: ({ a, b }) => a.name === b.name && forbidsDerivatives.test(a.name),
    explain: (a) =>
      `${a} allows no adapted copies: ship the material unchanged and apart, or ask its author.`,
  },
  {
    id: 'same-license',
    verdict: 'compatible',
    source: null,
    applies: (pair) => isSame(pair) && !isNotKnown(pair.a) && pair.a.category !== 'proprietary',
    explain: (a) => `Both are under ${a}: keep its notices and meet its terms.`,
  },
  {
    id: 'public-domain',
    verdict: 'compatible',
    source: 'https://www.gnu.org/licenses/license-list.html#PublicDomain',
    applies: ({ a }) => a.category === 'public-domain',
    explain: (a, b) => `${a} gives up all rights: use the code in works under ${b} as you like.`,
  },
  {
    id: 'unknown-whole',
    verdict: 'unknown',
    source: null,
    applies: ({ b }) => isNotKnown(b),
    explain: (_, b) => `What ${b} demands is not known: let a lawyer read it before you combine.`,
  },
  {
    id: 'later-versions-of-the-whole',
    verdict: 'unknown',
    source: null,
    applies: ({ a, b }) => b.name.endsWith('+') && a.category !== 'permissive',
    explain: (_, b) =>
      `${b} offers versions that may not exist yet: release the whole under one version instead.`,
  },
];

/** Fallback rules by category. */
export const lastRules: readonly Rule[] = [
  {
    id: 'unknown-code',
    verdict: 'unknown',
    source: null,
    applies: ({ a }) => isNotKnown(a),
    explain: (a) => `What ${a} demands is not known: let a lawyer read it before you combine.`,
  },
  {
    id: 'copyleft-into-other-terms',
    verdict: 'incompatible',
    source: 'https://www.gnu.org/licenses/copyleft.html',
    applies: ({ a, b }) =>
      isCopyleft(a.category) && a.category !== 'weak-copyleft' && !isCopyleft(b.category),
    explain: (a, b) =>
      `${a} keeps works with its code under ${a}: release the whole under ${a}, or do without code under it in a work under ${b}.`,
  },
  {
    id: 'closed-into-open',
    verdict: 'incompatible',
    source: 'https://opensource.org/osd',
    applies: ({ a, b }) => isClosed(a.category) && !isClosed(b.category),
    explain: (a, b) =>
      `${a} withholds rights that ${b} gives: replace the code, or get a license for it that allows ${b}.`,
  },
  {
    id: 'closed-into-closed',
    verdict: 'unknown',
    source: null,
    applies: ({ a }) => isClosed(a.category),
    explain: (a, b) => `Whether ${a} allows works under ${b} depends on its terms: read both.`,
  },
  {
    id: 'copyleft-into-copyleft',
    verdict: 'unknown',
    source: null,
    applies: ({ a }) => isCopyleft(a.category),
    explain: (a, b) =>
      `No rule here covers whether ${a} allows a whole under ${b}: keep the code apart, or ask its authors.`,
  },
  {
    id: 'no-rule',
    verdict: 'unknown',
    source: null,
    applies: () => true,
    explain: (a, b) =>
      `No rule here covers whether a work under ${b} may contain code under ${a}: let a lawyer read both.`,
  },
];
