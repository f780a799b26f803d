import { Option } from 'commander';
import { sbomFormats } from '../../../shared/domain/facts/release-details.ts';
import { defineCommand } from '../../framework/define-command.ts';

export const scanSbom = defineCommand('showEvidence', {
  name: 'scan sbom',
  summary: 'Export the SBOM that is attached to an image, for a scanner',
  examples: ['scan sbom nginx:1.27.3', 'scan sbom ghcr.io/acme/shop:2.0 --type spdx > shop.json'],
  options: [
    new Option(
      '--type <type>',
      'the format of the SBOM; CycloneDX unless given, else SPDX',
    ).choices(sbomFormats),
  ],
  run: async (call) => {
    const { runScanSbom } = await import('./run-scan-sbom.ts');
    await runScanSbom(call);
  },
});
