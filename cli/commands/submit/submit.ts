import { Option } from 'commander';
import type { JsonObject } from '../../../shared/util/json.ts';
import { defineCommand } from '../../framework/define-command.ts';
import {
  listedFields,
  manyPackages,
  packagesFile,
  runForPackages,
} from '../../framework/many-packages.ts';
import { announce, describeSubmission } from '../../presentation/announce.ts';

const explainLicense = async ({ license }: JsonObject): Promise<object> => {
  if (typeof license !== 'string') return { license_normalized: null, license_note: null };
  const [{ explainNormalization }, { normalizeLicense }] = await Promise.all([
    import('../../../shared/domain/licenses/explain-normalization.ts'),
    import('../../../shared/domain/licenses/normalize/normalize-license.ts'),
  ]);
  return explainNormalization(license, normalizeLicense(license));
};

const readManifest = async (path: unknown): Promise<object> => {
  if (typeof path !== 'string') return {};
  const manifest = await import('./manifest/manifest.ts');
  return manifest.readManifest(path);
};

export const submit = defineCommand('submitPackage', {
  name: 'submit',
  examples: [
    'submit --ecosystem npm --name left-pad --version 1.3.0 --license WTFPL',
    'submit --from pom.xml --dry-run',
    'submit --from . --reason "The importer reads zip files with it"',
    'submit --from . --by you@example.com',
    'submit --file submission.json',
    'submit npm:left-pad@1.3.0 pypi:attrs@24.3.0',
    'submit --file packages.txt --by you@example.com',
  ],
  positionals: manyPackages,
  flags: {
    type: { hidden: true },
    ecosystem: { required: true },
  },
  body: {
    options: [
      packagesFile,
      new Option(
        '--from <path>',
        'read missing fields from a package.json, pyproject.toml or pom.xml, or from its folder',
      ),
    ],
    isWhole: false,
    alternative: ', or by --file or --from',
    read: ({ flags: { from } }) => readManifest(from),
  },
  run: async (call) => {
    const ignoredFields = ['status', ...listedFields];
    await runForPackages(call, {
      ...{ route: 'submitPackages', list: 'packages', ignoredFields },
      previewBody: explainLicense,
      view: announce(call.session, describeSubmission),
    });
  },
});
