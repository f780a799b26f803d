import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes half a minute and more, the longest first. */
const longest = [
  'test/store/catalogue/catalogue.property.test.ts',
  'test/contract/token-traffic.test.ts',
  'test/store/audit/audit.test.ts',
  'test/capacity/capacity.test.ts',
  'test/contract/least-privilege.test.ts',
  'test/cli/commands.test.ts',
  'test/contract/start.test.ts',
  'test/contributing.test.ts',
  'test/contract/fault.test.ts',
  'test/contract/rescan.test.ts',
  'test/web/docs.test.ts',
  'test/cli/without-registry.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at < 0 ? longest.length : at;
};

/** Begins with what takes longest, so that it is not left at the end with one core at work. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
