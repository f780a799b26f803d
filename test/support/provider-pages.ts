/** The last page of a sign-in. */
interface LastPage {
  readonly status: number;
  readonly text: string;
}

interface PageForm {
  readonly action: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Returns an attribute of an HTML tag. */
const readAttribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');

const readForm = (html: string): PageForm | undefined => {
  const [, tag = '', content = ''] = /<form\b([^>]*)>(.*?)<\/form>/s.exec(html) ?? [];
  const action = readAttribute(tag, 'action');
  if (action === undefined) return undefined;
  const fields = [...content.matchAll(/<input\b[^>]*>/gs)].flatMap(([input]) => {
    const name = readAttribute(input, 'name');
    return name === undefined ? [] : [[name, readAttribute(input, 'value') ?? ''] as const];
  });
  return { action, fields: new Map(fields) };
};

const readCancelLink = (html: string): string | undefined => {
  const [, tag] = /<a\b([^>]*)>\[ Cancel \]/.exec(html) ?? [];
  return tag === undefined ? undefined : readAttribute(tag, 'href');
};

/** A browser without scripts, with the cookies of one person. */
class PageVisitor {
  private readonly cookies = new Map<string, string>();

  /** Sends a request, and follows redirects. */
  async visit(address: string, body?: URLSearchParams): Promise<LastPage & { url: string }> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(address, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { Cookie: cookie },
      ...(body && { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get('location');
    if (location) return this.visit(new URL(location, address).href);
    return { url: address, status: response.status, text };
  }
}

/**
 * Signs in on the pages of a provider, or cancels there, from an address that a program shows. Resolves to the page without a
 * further form: the one of the provider, or of the program.
 */
export const signInAt = async (
  address: string,
  login: string,
  { cancel = false } = {},
): Promise<LastPage> => {
  const visitor = new PageVisitor();
  let page = await visitor.visit(address);
  for (let form = readForm(page.text); form; form = readForm(page.text)) {
    const cancelLink = readCancelLink(page.text);
    if (cancel && cancelLink !== undefined)
      return visitor.visit(new URL(cancelLink, page.url).href);
    const filled = new URLSearchParams([...form.fields]);
    if (form.fields.has('login')) filled.set('login', login);
    if (form.fields.has('password')) filled.set('password', 'any');
    page = await visitor.visit(new URL(form.action, page.url).href, filled);
  }
  return page;
};
