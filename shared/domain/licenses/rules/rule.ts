import type { LicenseCategory } from '../category.ts';
import type { GnuLicense } from '../gnu.ts';

/** A license as the rules see it. Its category is that of the license without the exception. */
export interface RuledLicense {
  readonly name: string;
  readonly category: LicenseCategory;
  readonly exception?: string;
}

/** From the best to the worst for who wants to use the code. */
export const verdicts = ['compatible', 'unknown', 'incompatible'] as const;
export type Verdict = (typeof verdicts)[number];

/** Whether a work that as a whole is under B may contain code under A, why, and what to do. */
export interface Ruling {
  readonly verdict: Verdict;
  readonly rule: string;
  readonly explanation: string;
  readonly source: string | null;
}

/** A: the license of the code. B: the license of the whole work. Their GNU versions, if they are GNU licenses. */
export interface Pair {
  readonly a: RuledLicense;
  readonly b: RuledLicense;
  readonly gnuA: GnuLicense | undefined;
  readonly gnuB: GnuLicense | undefined;
}

/** One rule of compatibility. The first rule that applies to a pair decides it. */
export interface Rule {
  /** Stable, since answers name it. */
  readonly id: string;
  readonly verdict: Verdict;
  /** Where it is published: one address, or one that depends on the licenses. Null where the categories alone decide. */
  readonly source: string | null | ((a: RuledLicense, b: RuledLicense) => string | null);
  readonly applies: (pair: Pair) => boolean;
  /** One sentence for people that says what to do. */
  readonly explain: (a: string, b: string) => string;
}
