import type {
  MalwareRecord,
  RecordPackage,
  RecordRange,
} from '../../../shared/domain/recalls/match-record.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

/** Returns a range from its events. */
export const range = (
  introduced: string,
  end: { readonly fixed?: string; readonly last_affected?: string } = {},
): RecordRange => ({ introduced, fixed: null, last_affected: null, ...end });

const bare = [range('0')];

/** Returns a record that names one package. */
export const record = (
  id: string,
  [ecosystem, name]: readonly [Ecosystem, string],
  affected: Partial<Pick<RecordPackage, 'versions' | 'ranges'>>,
  fields: Partial<MalwareRecord> = {},
): MalwareRecord => ({
  id,
  summary: `Malicious code in ${name} (${ecosystem})`,
  published: '2026-03-31T03:15:49Z',
  modified: '2026-04-07T14:41:20Z',
  withdrawn: null,
  affected: [{ ecosystem, name, versions: [], ranges: [], ...affected }],
  ...fields,
});

/** Records of real attacks and of real errors, from github.com/ossf/malicious-packages, with the id of each one. */
export const records = {
  axios: record('MAL-2026-2307', ['npm', 'axios'], { versions: ['0.30.4', '1.14.1'] }),
  telnyx: record('MAL-2026-2254', ['pypi', 'telnyx'], { versions: ['4.87.1', '4.87.2'] }),
  posthog: record('MAL-2025-191470', ['maven', 'org.mvnpm:posthog-node'], { versions: ['4.18.1'] }),
  tinycolor: record('MAL-2025-47141', ['npm', '@ctrl/tinycolor'], {
    ranges: [...bare, range('4.1.1', { last_affected: '4.1.2' })],
  }),
  postmark: record('MAL-2025-47604', ['npm', 'postmark-mcp'], { ranges: [range('1.0.16')] }),
  scribejava: record('MAL-2025-2552', ['maven', 'io.github.leetcrunch:scribejava-core'], {
    ranges: bare,
  }),
  /** A wrong record of a clean package. */
  supabase: record('MAL-2026-5187', ['npm', 'supabase'], { ranges: bare }),
  /** A wrong range beside the versions of a real attack. */
  mistral: record('MAL-2026-3432', ['npm', '@mistralai/mistralai'], {
    versions: ['2.2.4', '2.2.3', '2.2.2'],
    ranges: bare,
  }),
  solana: record('MAL-2024-11183', ['npm', '@solana/web3.js'], { ranges: bare }),
  emilgroup: record('MAL-2026-2037', ['npm', '@emilgroup/auth-sdk-node'], {
    versions: ['1.21.1', '1.21.2', '1.25.0', '1.26.0', '1.28.0', '1.28.1-beta.0'],
    ranges: [range('1.21.1', { last_affected: '1.21.2' })],
  }),
  /** A right record that a tool read as a range, so that 9.1.0 seemed to be malicious. */
  prettier: record('MAL-2025-6022', ['npm', 'eslint-config-prettier'], {
    versions: ['8.10.1', '9.1.1', '10.1.6', '10.1.7'],
  }),
  /** A wrong record of `react`, which meant a package with a scope. */
  react: record(
    'MAL-2024-2929',
    ['npm', 'react'],
    { versions: ['35.0.0', '1.0.0'] },
    { withdrawn: '2024-07-01T03:32:00Z' },
  ),
} as const;
