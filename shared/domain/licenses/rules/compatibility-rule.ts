import type { LicenseCategory } from '../category.ts';
import type { GnuLicense } from '../gnu.ts';

/** A license in the form that the rules use. `category` is the category without the exception. */
export interface RuledLicense {
  readonly name: string;
  readonly category: LicenseCategory;
  readonly exception?: string;
}

/** Compatibility verdicts, from best to worst for a user of the code. */
export const verdicts = ['compatible', 'unknown', 'incompatible'] as const;
export type Verdict = (typeof verdicts)[number];

/** Verdict on code under A in a work released under B, with its reason and advice. */
export interface Ruling {
  readonly verdict: Verdict;
  readonly rule: string;
  readonly explanation: string;
  readonly source: string | null;
}

/**
 * Licenses of a question. `a`: license of the code. `b`: license of the whole work. `gnuA`, `gnuB`: their parsed GNU
 * identifiers.
 */
export interface Pair {
  readonly a: RuledLicense;
  readonly b: RuledLicense;
  readonly gnuA: GnuLicense | undefined;
  readonly gnuB: GnuLicense | undefined;
}

/** One rule of compatibility. The first rule that applies to a pair decides it. */
export interface Rule {
  /** Rule id. It must not change, since API responses contain it. */
  readonly id: string;
  readonly verdict: Verdict;
  /** URL of the published source, fixed or by license. Null for rules by category alone. */
  readonly source: string | null | ((a: RuledLicense, b: RuledLicense) => string | null);
  readonly applies: (pair: Pair) => boolean;
  /** Returns one sentence with advice for people. */
  readonly explain: (a: string, b: string) => string;
}
