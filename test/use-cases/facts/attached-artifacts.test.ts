import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { refreshTrustedRoot } from '../../../shared/use-cases/facts/refresh-trusted-root.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { showEvidence } from '../../../shared/use-cases/review/show-evidence.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { type OciRegistry, startOciRegistry } from '../../support/oci-registry.ts';
import { startSigstore, toBundle } from '../../support/sigstore.ts';
import { refreshImage } from './refreshed-image.ts';

const id: PackageId = { ecosystem: 'docker', name: 'registry.example.com/shop', version: '2.0' };

const enoughTime = { remainingMs: () => 100_000 };

const settings = {
  rules: {},
  inquiries: { isScanning: false, isCollectingFacts: true },
  readFileRules: () => ({ origin: registry.url, isSpread: false, places: [] }),
};

let engine: TestEngine;
let registry: OciRegistry;
beforeEach(async () => {
  engine = await startEngine();
  registry = await startOciRegistry();
});
afterEach(async () => {
  await engine.close();
  await registry.close();
});

const refresh = (): Promise<void> => refreshImage(registry, id);

const show = async () => {
  const { facts, files } = await showEvidence(id, settings, new Date());
  return { status: facts?.provenance?.status, sboms: files?.sboms };
};

it('shows the SBOMs and the provenance of the digest, and none of them after a move of the tag', async () => {
  const sigstore = await startSigstore();
  await refreshTrustedRoot(async () => sigstore.root, { now: new Date(), deadline: enoughTime });
  const digest = registry.pushImage('shop', { tag: '2.0' });
  const statement = {
    predicateType: 'https://slsa.dev/provenance/v1',
    subject: [{ name: '', digest: { sha256: digest.slice('sha256:'.length) } }],
  };
  registry.addReferrer('shop', digest, {
    artifactType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    bytes: JSON.stringify(toBundle(await sigstore.attest(statement))),
  });
  registry.addReferrer('shop', digest, { artifactType: 'application/spdx+json', bytes: '{}' });
  const sbom = { format: 'spdx', digest: registry.pushBlob('shop', '{}'), size: 2 };

  await submitPackage(id, writeContext());
  await refresh();
  expect(await show()).toEqual({ status: 'verified', sboms: [sbom] });

  await decidePackage(id, { to: 'approved', by: 'ana', reason: 'Looked at it' }, writeContext());
  registry.moveTag('shop', '2.0', registry.pushImage('shop', { config: { User: 'root' } }));
  await refresh();

  // The approval still pins the first image, and its SBOM is still that of the pinned files.
  expect(await show()).toEqual({ status: 'none', sboms: [sbom] });
});
