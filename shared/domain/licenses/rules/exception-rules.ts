import { isCopyleft } from '../category.ts';
import { findExceptionEffect, formatExceptionUrl } from '../exceptions.ts';
import { gnuMayContain } from '../gnu.ts';
import type { Pair, Rule } from './compatibility-rule.ts';

const linksFreely = ({ a }: Pair): boolean =>
  a.exception !== undefined && findExceptionEffect(a.exception) === 'linking';

const mayContain = ({ gnuA, gnuB }: Pair): boolean =>
  gnuA !== undefined && gnuB !== undefined && gnuMayContain(gnuA, gnuB) === true;

/** Rules for exceptions with a certain effect. */
export const exceptionRules: readonly Rule[] = [
  {
    id: 'llvm-exception-into-gpl-2',
    verdict: 'compatible',
    source: 'https://llvm.org/docs/DeveloperPolicy.html#new-llvm-project-license-framework',
    applies: ({ a, gnuB }) =>
      a.name === 'Apache-2.0' &&
      a.exception === 'LLVM-exception' &&
      gnuB !== undefined &&
      gnuB.version >= 2,
    explain: (a, b) =>
      `The exception waives what conflicts with version 2 of the GPL: keep the notices of ${a} in the work under ${b}.`,
  },
  {
    id: 'exception-not-passed-on',
    verdict: 'unknown',
    source: 'https://www.gnu.org/licenses/gpl-faq.html#GPLIncompatibleLibs',
    applies: ({ a, b, gnuA, gnuB }) =>
      gnuA !== undefined &&
      gnuB !== undefined &&
      b.exception !== undefined &&
      a.exception !== b.exception,
    explain: (a, b) =>
      `The authors of the code under ${a} did not grant the exception of ${b}: release the whole without the exception, or ask them for it.`,
  },
  {
    id: 'linking-exception',
    verdict: 'compatible',
    source: ({ exception = '' }) => formatExceptionUrl(exception),
    applies: (pair) => linksFreely(pair) && pair.gnuA !== undefined && pair.gnuB === undefined,
    explain: (a, b) =>
      `The exception lets works that only link with the code be under ${b}: keep the code itself, and changes to it, under ${a}.`,
  },
  {
    id: 'linking-exception-into-gnu',
    verdict: 'unknown',
    source: 'https://www.gnu.org/licenses/gpl-faq.html#AllCompatibility',
    applies: (pair) =>
      linksFreely(pair) && pair.gnuA !== undefined && pair.gnuB !== undefined && !mayContain(pair),
    explain: (a, b) =>
      `The exception of ${a} allows linking, and ${b} may still demand all of the work: keep the code in a module of its own and ask a lawyer.`,
  },
];

const withinGnu = ({ gnuA, gnuB }: Pair): boolean => gnuA !== undefined && gnuB !== undefined;

/**
 * Makes the rule for an exception that may permit what `bareRules` forbid. These rules apply to the license without it.
 */
export const exceptionMayAllow = (bareRules: readonly Rule[]): Rule => ({
  id: 'exception-may-allow',
  verdict: 'unknown',
  source: ({ exception = '' }) => formatExceptionUrl(exception),
  applies: (pair) =>
    pair.a.exception !== undefined &&
    isCopyleft(pair.a.category) &&
    !withinGnu(pair) &&
    bareRules.find(({ applies }) => applies(pair))?.verdict === 'incompatible',
  explain: (a, b) =>
    `Only the exception can allow code under ${a} in a work under ${b}: read whether it covers your use, or do without the code.`,
});
