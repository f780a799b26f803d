/** The viewer has a dark face, but leaves it to the page to say when. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followTheme);
followTheme();

/** A field whose name is beside it, where only eyes find it, or nowhere. */
const labelled =
  (findName) =>
  (Field, { React: { createElement } }) =>
  (props) =>
    createElement(
      'label',
      null,
      createElement('span', { className: 'heard' }, findName(props)),
      createElement(Field, props),
    );

/** What the viewer leaves out for those who read by keyboard or by ear. */
const accessible = {
  wrapComponents: {
    /** A link inside of the button that opens an operation; the address follows by itself. */
    DeepLink:
      (_, { React: { createElement } }) =>
      ({ text }) =>
        createElement('span', null, text),
    JsonSchema_string: labelled(({ description }) => description),
    RequestBodyEditor: labelled(() => 'The body of the request'),
    ExamplesSelect: labelled(() => 'Example'),
    /** All that is in the button that closes a dialog. */
    CloseIcon: labelled(() => 'Close'),
  },
};

/** The viewer leaves out a level of headings below the title of the page: those further down move up by one. */
const raiseHeadings = () => {
  for (const heading of document.querySelectorAll('#docs :is(h3, h4, h5, h6):not([aria-level])')) {
    heading.setAttribute('aria-level', String(Number(heading.tagName.slice(1)) - 1));
  }
};
new MutationObserver(raiseHeadings).observe(document.getElementById('docs'), {
  childList: true,
  subtree: true,
});

SwaggerUIBundle({
  // Beside this page, whatever the stage or the custom domain puts before both.
  url: location.pathname.replace(/\/docs\/?$/, '/openapi.json'),
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'list',
  plugins: [accessible],
  tryItOutEnabled: true,
  validatorUrl: null,
});
