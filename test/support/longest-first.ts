import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { thorough } from './thorough.ts';

/** The slowest test files, the slowest first. */
const longest = [
  ...thorough,
  'test/contract/refusals.test.ts',
  'test/contract/signed-decisions.test.ts',
  'test/contract/fault.test.ts',
  'test/cli/terminal.test.ts',
  'test/cli/events.test.ts',
  'test/cli/many.test.ts',
  'test/cli/commands.test.ts',
  'test/contract/scanning.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at < 0 ? longest.length : at;
};

/** Starts with the slowest files, so that all cores work until the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
