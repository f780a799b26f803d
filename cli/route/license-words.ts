import type { Words } from './route-words.ts';

/** The words of routes: licenses. */
export const licenseWords = {
  listLicenses: {
    command: 'license list',
    examples: ['license list --status rejected', 'license list --search gnu --all'],
    flags: {
      search: 'part of a name or title',
      status: 'only what the organisation thinks so of',
    },
    columns: ['name', 'title', 'status', 'category'],
  },
  showLicense: {
    command: 'license show',
    examples: ['license show Apache-2.0', 'license show "MIT OR GPL-3.0-only"'],
    arguments: { name: 'the license, such as MIT, or an SPDX expression' },
  },
  setLicense: {
    command: 'license set',
    examples: [
      'license set EPL-2.0 --status approved --note "As a library, unmodified"',
      'license set EPL-2.0 --status null',
      'license set "Acme EULA" --status approved --category proprietary --no-allows-commercial',
      'license set "Acme EULA" --file license.json',
    ],
    arguments: { name: 'the license, such as MIT, or one of your own' },
    flags: {
      status: 'what the organisation thinks of it; null goes back to the policy',
      url: 'where its text is; this and what follows is for a license of your own',
    },
    // --url is that of the registry.
    typed: { url: 'text-url' },
    body: 'file option',
  },
  compareLicenses: {
    command: 'license compatibility',
    examples: ['license compatibility Apache-2.0 GPL-2.0-only'],
    arguments: {
      name: 'the license of the code',
      other: 'the license of the work that shall contain it',
    },
  },
} satisfies Partial<Words>;
