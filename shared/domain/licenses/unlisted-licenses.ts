import type { LicenseCategory } from './category.ts';

/** A well-known license without a current SPDX identifier. */
export interface UnlistedLicense {
  readonly name: `LicenseRef-${string}` | 'Net-SNMP';
  readonly title: string;
  readonly category: LicenseCategory;
  readonly requires_attribution: boolean | null;
  readonly allows_commercial: boolean | null;
  readonly url: string | null;
}

/** Facts that differ between uses of these licenses. */
const open = { requires_attribution: null, allows_commercial: null } as const;

export const unlistedLicenses: readonly UnlistedLicense[] = [
  {
    // SPDX deprecated it without a successor. It covers a growing set of licenses such as CMU's and the BSD's.
    name: 'Net-SNMP',
    title: 'Net-SNMP License',
    category: 'permissive',
    requires_attribution: true,
    allows_commercial: true,
    url: 'https://spdx.org/licenses/Net-SNMP.html',
  },
  {
    name: 'LicenseRef-Proprietary',
    title: "All rights reserved, or the vendor's own terms",
    category: 'proprietary',
    ...open,
    url: null,
  },
  {
    name: 'LicenseRef-Public-Domain',
    title: 'Said to be in the public domain',
    category: 'public-domain',
    requires_attribution: false,
    allows_commercial: true,
    url: 'https://www.gnu.org/licenses/license-list.html#PublicDomain',
  },
  {
    name: 'LicenseRef-JDOM',
    title: 'JDOM License',
    category: 'permissive',
    requires_attribution: true,
    allows_commercial: true,
    url: 'http://www.jdom.org/docs/faq.html#a0030',
  },
  {
    name: 'LicenseRef-Commons-Clause',
    title: 'Commons Clause License Condition v1.0',
    category: 'source-available',
    requires_attribution: null,
    allows_commercial: false,
    url: 'https://commonsclause.com',
  },
  {
    name: 'LicenseRef-Noncommercial',
    title: 'No commercial use, in terms that are not known',
    category: 'source-available',
    requires_attribution: null,
    allows_commercial: false,
    url: null,
  },
  {
    name: 'LicenseRef-Elastic-1.0',
    title: 'Elastic License (first version)',
    category: 'source-available',
    ...open,
    url: null,
  },
  {
    name: 'LicenseRef-RSAL',
    title: 'Redis Source Available License',
    category: 'source-available',
    ...open,
    url: 'https://redis.io/legal/rsalv2-agreement/',
  },
  {
    name: 'LicenseRef-Confluent-Community',
    title: 'Confluent Community License',
    category: 'source-available',
    ...open,
    url: 'https://www.confluent.io/confluent-community-license/',
  },
  {
    name: 'LicenseRef-Timescale',
    title: 'Timescale License',
    category: 'source-available',
    ...open,
    url: 'https://www.timescale.com/legal/licenses',
  },
];
