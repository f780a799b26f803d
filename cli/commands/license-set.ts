import { jsonFileOption } from '../framework/body-source.ts';
import { defineCommand } from '../framework/define-command.ts';
import { formatWithSentence } from '../output/details.ts';

export const licenseSet = defineCommand('setLicense', {
  name: 'license set',
  examples: [
    'license set EPL-2.0 --status approved --note "As a library, unmodified"',
    'license set EPL-2.0 --status null',
    'license set "Acme EULA" --status approved --category proprietary --no-allows-commercial',
    'license set "Acme EULA" --file license.json',
  ],
  arguments: { name: 'the license, such as MIT, or a license of your own' },
  flags: {
    status: {
      description:
        'the decision of the organisation; null removes it, so that the license policy applies',
    },
    // --url is the URL of the registry.
    url: {
      name: 'text-url',
      description: 'where its text is; this flag and those below are for a license of your own',
    },
  },
  body: jsonFileOption,
  view: {
    formatAnswer: (license, output) =>
      formatWithSentence(`The license ${license.name} is ${license.status}.`, license, output),
  },
});
