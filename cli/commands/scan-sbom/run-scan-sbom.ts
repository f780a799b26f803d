import { findProxiedFetch } from '../../../shared/api/client/node-transport.ts';
import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import { type ImageSbom, sbomFormats } from '../../../shared/domain/facts/release-details.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { buildInput } from '../../framework/build-input.ts';
import { readNamedPackage } from '../../framework/named-package.ts';
import type { Call } from '../../framework/route-description.ts';
import { callOperation } from '../../framework/send-request.ts';
import { UsageError } from '../../input/usage-error.ts';
import { sbomTitles } from '../../presentation/image-sboms.ts';
import { fetchSbom } from './fetch-sbom.ts';

/**
 * Returns the first SBOM of the wanted format, or of the preferred one.
 * @throws {UsageError} for a version that is no image
 * @throws {NegativeResultError} if the image has none, or its SBOMs are unknown
 */
const selectSbom = (
  { package: { ecosystem, name, version }, files }: VersionEvidence,
  wanted: unknown,
): ImageSbom => {
  const image = formatPackage({ ecosystem, name, version });
  if (ecosystem !== 'docker')
    throw new UsageError(`${image} is no image, so it has no registry of SBOMs.`);
  if (!files?.sboms) {
    throw new NegativeResultError(
      `The SBOMs of ${image} are not known: the registry has not listed what is attached to the image yet.`,
    );
  }
  const { sboms } = files;
  const found = sbomFormats
    .filter((format) => wanted === undefined || format === wanted)
    .map((format) => sboms.find((one) => one.format === format))
    .find((one) => one !== undefined);
  if (found) return found;
  const others = [...new Set(sboms.map(({ format }) => sbomTitles[format]))];
  throw new NegativeResultError(
    others.length === 0
      ? `${image} has no SBOM in its registry.`
      : `${image} has no SBOM of that type, but in ${others.join(' and ')}.`,
  );
};

/**
 * Writes the SBOM of an image. The package registry names its digest, and the registry of the image has its content.
 * @throws {NegativeResultError} if there is none, or it cannot be fetched
 */
export const runScanSbom = async (call: Call<'showEvidence'>): Promise<void> => {
  const { session, flags } = call;
  const named = { ...call, ...readNamedPackage(call.described, call) };
  // The name as it was typed: an answer could lead to another host.
  const [image = ''] = named.arguments;
  const evidence = await callOperation(named, buildInput(named.described, named, undefined));
  const sbom = selectSbom(evidence, flags['type']);
  const proxied = await findProxiedFetch();
  const { progress, settings, terminal } = session;
  progress.show('Downloading the SBOM');
  try {
    const options = { registry: settings.url.value, ...(proxied && { fetch: proxied }) };
    const text = await fetchSbom(image, sbom, options);
    progress.end();
    terminal.out.write(text);
  } finally {
    progress.end();
  }
};
