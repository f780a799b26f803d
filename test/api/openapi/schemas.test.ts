import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Routes, routesByName } from '../../../shared/api/all-routes.ts';
import { operationDocs } from '../../../shared/api/openapi/operation-docs.ts';
import { Approval } from '../../../shared/api/schemas/decision.ts';
import { Submission } from '../../../shared/api/schemas/submission.ts';
import { findSchema } from '../../support/document.ts';

const nothing = [undefined, null];
const texts = [
  '',
  ' ',
  '\t',
  'a',
  ' a ',
  'a\nb',
  'a\u0085b',
  '\u00a0',
  '\u202ea',
  'a\u200bb',
  'ü',
  'x'.repeat(300),
];

const names = [
  'lodash',
  '@types/node',
  'Flask_Login',
  'org.slf4j:slf4j-api',
  'ghcr.io/owner/image',
  'localhost:5000/x',
  'a..b',
  '../etc/passwd',
  'a b',
  'a%2Fb',
  'a//b',
  '.hidden',
  '-x',
  'UPPER/case',
  'é',
  '',
  'n'.repeat(214),
  'n'.repeat(215),
  'n'.repeat(256),
];

const versions = [
  '1.0.0',
  '1',
  '1.0RC1',
  'v1.0.post2',
  '1!2.0+Local.1',
  '1.0.0-beta.2+build',
  '01.0.0',
  'latest',
  '21-jre',
  `sha256:${'a'.repeat(64)}`,
  `sha256:${'a'.repeat(63)}`,
  '6.6.4.Final',
  '[1.0,2.0)',
  '1..0',
  '',
  ' 1',
  'v'.repeat(300),
];

const urls = [
  'https://example.com',
  'http://example.com:8080/a?b=c#d',
  'https://example.com?x',
  'git+https://example.com/x.git',
  'git+ssh://example.com/x',
  'ssh://git@example.com/x',
  'https://u:p@example.com',
  'HTTPS://example.com',
  'https:example.com',
  'https:///x',
  'https://example.com/a b',
  'https://example.com/"x',
  'https://example.com/\u200bx',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'example.com',
  `https://example.com/${'a'.repeat(2048)}`,
];

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);

/** Submissions of which each field is mostly right, so that many are right as a whole. */
const submission = fc.record(
  {
    name: oneOf<unknown>(...names, 7),
    version: oneOf<unknown>(...versions, 1),
    ecosystem: oneOf(...nothing, 'npm', 'pypi', 'maven', 'docker', 'cargo'),
    type: oneOf(...nothing, ...nothing, ...nothing, 'npm', 'pypi', 'cargo'),
    license: oneOf(...nothing, 'MIT', ...texts),
    description: oneOf(...nothing, ...texts, 'x'.repeat(4097)),
    homepage: oneOf(...nothing, ...urls),
    repository: oneOf(...nothing, ...urls),
    submitted_by: oneOf(...nothing, ...texts),
    licence: oneOf('MIT'),
  },
  { requiredKeys: [] },
);

/** As it is sent: what is undefined is not. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the document', () => {
  it('takes exactly the submissions that the registry takes, whatever one field says', () => {
    const check = findSchema('components', 'schemas', 'Submission');
    const right = { name: 'lodash', version: '1.0.0', ecosystem: 'npm' };

    fc.assert(
      fc.property(submission, fc.boolean(), (fields, mended) => {
        const body = sent(mended ? { ...fields, ...right, type: null } : fields);
        expect([body, check(body)]).toEqual([body, Submission.safeParse(body).success]);
      }),
      { numRuns: 5000 },
    );
  });

  it.each(['npm', 'pypi', 'maven', 'docker'])(
    'takes exactly the names and versions that the registry takes for %s',
    (ecosystem) => {
      const check = findSchema('components', 'schemas', 'Submission');
      const bodies = names.flatMap((name) =>
        versions.flatMap((version) => [
          { ecosystem, name, version },
          { type: ecosystem, name, version },
        ]),
      );

      const differing = bodies.filter((body) => check(body) !== Submission.safeParse(body).success);

      expect(differing).toEqual([]);
      expect(bodies.filter((body) => check(body)).length).toBeGreaterThan(0);
    },
  );

  it.each([
    [{}],
    [{ override: true }],
    [{ override: true, reason: null }],
    [{ override: true, reason: ' ' }],
    [{ override: true, reason: 'needed' }],
    [{ override: false }],
    [{ override: [], reason: 'needed' }],
    [{ override: ['scan_failed'] }],
    [{ override: ['scan_failed'], reason: 'needed' }],
    [{ override: ['scan_failed', 'license_rejected'], reason: 'needed' }],
    [{ override: ['scan_failed', 'scan_failed'], reason: 'needed' }],
    [{ override: ['scan_faild'], reason: 'needed' }],
    [{ override: 'scan_failed', reason: 'needed' }],
    [{ expected_evidence_version: 'x' }],
    [{ expected_evidence_version: 'x'.repeat(101) }],
    [{ reason: 'x'.repeat(2001) }],
    [{ expected_status: 'open' }],
    [{ rejected_by: 'a' }],
  ])('takes the approval that the registry takes, and no other: %j', (body) => {
    const check = findSchema('components', 'schemas', 'Approval');

    expect(check(body)).toBe(Approval.safeParse(body).success);
  });

  it("describes the registry's own format of reports, besides those of others", () => {
    const checkOwn = findSchema('components', 'schemas', 'RegistryReport');
    const check = findSchema('components', 'schemas', 'ScannerReport');

    expect(checkOwn({ tool: 'x', vulnerabilities: [{ id: 'CVE-1', severity: 'high' }] })).toBe(
      true,
    );
    expect(checkOwn({ tool: 'x', vulnerabilities: [{ severity: 'high' }] })).toBe(false);
    expect(checkOwn({ tool: 'x', vulnerabilities: [{ id: 'CVE-1', severity: 'bad' }] })).toBe(
      false,
    );
    expect(checkOwn({ tool: 'x', vulnerabilities: [{ id: 'CVE-1' }] })).toBe(false);
    expect(checkOwn({ tool: 'x' })).toBe(false);
    expect(checkOwn({ tools_used: [], vulnerabilities: [] })).toBe(false);
    expect([check({ Results: [] }), check([])]).toEqual([true, true]);
    expect([check({ tool: 'x' }), check('x')]).toEqual([false, false]);
  });

  it.each(Object.entries(operationDocs))('has examples that hold: %s', (name, { answer }) => {
    const { path, method, success } = routesByName[name as keyof Routes];
    const responses = ['paths', path, method.toLowerCase(), 'responses'];
    const media = ['content', 'application/json', 'schema'];
    const check = findSchema(...responses, String(success.status), ...media);

    expect(check(sent(answer))).toBe(true);
  });
});
