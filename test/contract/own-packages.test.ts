import type { StackModel } from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingVariables } from '../../shared/api/resources.ts';
import { TestRegistry } from '../support/registry.ts';

const patterns = 'npm:@acme/*,pypi:acme-*,maven:com.acme:*,docker:registry.acme.example/*';

const withOwn = (model: StackModel): StackModel => ({
  ...model,
  functions: Object.fromEntries(
    Object.entries(model.functions).map(([id, one]) => [
      id,
      { ...one, environment: { ...one.environment, [settingVariables.ownPackages]: patterns } },
    ]),
  ),
});

let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start({ transform: withOwn });
});
afterAll(() => registry.close());

const own = { ecosystem: 'npm', name: '@acme/shop', version: '1.0.0' };

describe("the organisation's own packages", () => {
  it('cannot be submitted, alone or among others', async () => {
    const alone = await registry.post('/api/v1/packages', own);
    const { body } = await registry.post('/api/v1/submissions', {
      packages: [own, { ...own, name: 'lodash' }],
    });

    expect(alone).toMatchObject({ status: 409, body: { code: 'own_package' } });
    expect(body.results).toMatchObject([{ problem: { code: 'own_package' } }, { status: 201 }]);
  });

  it('are allowed by a check, in each spelling', async () => {
    const { body } = await registry.post('/api/v1/check', {
      packages: [
        own,
        'pkg:pypi/Acme_Tools@1.0',
        'pkg:maven/com.acme/shop@1.0',
        'pkg:npm/acme-shop@1.0.0',
      ],
    });

    expect(body.packages).toMatchObject([
      { allowed: true, status: 'unknown', reasons: [{ code: 'own_package' }] },
      { allowed: true },
      { allowed: true },
      { allowed: false, reasons: [{ code: 'not_submitted' }] },
    ]);
  });

  it('may run in a cluster', async () => {
    const review = (image: string) => ({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: 'u-1', object: { kind: 'Pod', spec: { containers: [{ image }] } } },
    });
    const ask = async (route: string, image: string) =>
      (await registry.post(`/api/v1/kubernetes/${route}`, review(image))).body.response;
    const own = 'registry.acme.example/shop:1.0';

    expect(await ask('admission', own)).toEqual({ uid: 'u-1', allowed: true });
    expect(await ask('mutation', own)).toEqual({ uid: 'u-1', allowed: true });
    expect((await ask('admission', 'acme.example/shop:1.0')).allowed).toBe(false);
  });

  it.each([
    'npm/@acme%2Fshop',
    'npm/@acme/shop/-/shop-1.0.0.tgz',
    'npm/-/npm/v1/attestations/@acme%2Fshop@1.0.0',
    'pypi/simple/acme-tools/',
    'maven/com/acme/shop/maven-metadata.xml',
    'maven/com/acme/shop/1.0/shop-1.0.jar',
  ])('are not served by the gate: %s', async (path) => {
    const answer = await fetch(`${registry.url}/${path}`);

    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("one of your organisation's own packages");
  });
});
