import { expect, it } from 'vitest';
import { readSpecifiers } from '../../../shared/ecosystems/pypi/specifiers.ts';

const accept = (specifiers: string, versions: readonly string[]) => {
  const accepts = readSpecifiers(specifiers);
  return accepts && versions.filter(accepts);
};

/** Specifiers, the versions that they accept, and others that they do not. Python's `packaging` gives the same results. */
it.each<readonly [string, readonly string[], readonly string[]]>([
  ['', ['0.1', '1.0rc1', '1!2'], []],
  ['==1.0', ['1', '1.0.0', 'v1.0', '1.0+local.7'], ['1.0.post1', '1.0rc1', '1!1.0']],
  ['==1.0+local.7', ['1.0+local-7'], ['1.0', '1.0+local.8']],
  ['===1.0', ['1.0'], ['1', '1.0.0']],
  ['!=1.0', ['1.0.1', '1.0rc1'], ['1', '1.0.0']],
  ['==1.4.*', ['1.4', '1.4.9', '1.4rc1', '1.4.5.post1'], ['1.40', '1.5', '1!1.4.0']],
  ['==1.0.*', ['1', '1.0.3'], ['1.1']],
  ['!=1.4.*', ['1.40', '1.5'], ['1.4', '1.4.9']],
  ['>=1.9', ['1.9', '1.10', '2.0rc1', '1!0.1'], ['1.9rc1', '1.8']],
  ['<=2', ['2.0', '1.9', '2.0rc1', '2.0+local'], ['2.0.post1', '2.0.1']],
  ['<2', ['1.9.9', '1.9.post1'], ['2', '2.0rc1', '2.0.dev1']],
  ['<2rc2', ['2.0rc1', '1.9'], ['2rc2', '2.0']],
  ['<2.post1', ['2.0', '2.0rc1'], ['2.post1.dev1', '2.post1']],
  ['>2', ['2.0.1', '3.0rc1'], ['2', '2.0.post1', '2.0+local']],
  ['>2rc1', ['2.0', '2.0.post1'], ['2rc1', '2rc1.post1']],
  ['~=2.2', ['2.2', '2.9', '2.2.post3'], ['2.1', '3.0']],
  ['~=1.4.5a4', ['1.4.5a5', '1.4.5', '1.4.9'], ['1.4.5a3', '1.5']],
  ['>= 1.0, != 1.4.*, < 2 ,', ['1.0', '1.5'], ['1.4.2', '2.0', '0.9']],
])('%s accepts only the right versions', (specifiers, accepted, others) => {
  expect(accept(specifiers, [...accepted, ...others])).toEqual(accepted);
});

it.each(['1.0', '=1.0', '>=1.0.*', '~=1', '>=one', '==1.0rc1.*', '>=1.0 <2'])(
  'returns nothing for the invalid specifiers %s',
  (specifiers) => {
    expect(readSpecifiers(specifiers)).toBeUndefined();
  },
);
