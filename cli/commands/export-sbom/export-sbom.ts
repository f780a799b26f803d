import { Option } from 'commander';
import type { CliCommand } from '../../framework/command.ts';

export const exportSbom: CliCommand = {
  name: 'export sbom',
  summary: 'Export the versions of a project as an SBOM in CycloneDX',
  examples: [
    'export sbom --project shop --file shop.cdx.json',
    'export sbom --project acme/shop --ref release-2 --names-only > shop.cdx.json',
  ],
  arguments: [],
  options: [
    new Option(
      '--project <project>',
      'the project, such as shop or acme/shop',
    ).makeOptionMandatory(),
    new Option('--ref <ref>', 'the branch or tag; main unless given'),
    new Option(
      '--names-only',
      'leave out licenses and digests, which take a request for each version',
    ),
    new Option('--file <file>', 'the file to write; standard output unless given'),
  ],
  run: async ({ flags }, { openSession }) => {
    const { runExportSbom } = await import('./run-export-sbom.ts');
    // Reading what a project uses needs a token.
    await runExportSbom(flags, openSession({ writes: true }));
  },
};
