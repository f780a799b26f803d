import { render } from 'preact';
import { Frame } from './frame/frame.tsx';
import { resumeTheme } from './frame/theme.tsx';
import { startWatching } from './frame/watching.ts';
import { resumeSession } from './session/session.ts';

resumeTheme();
startWatching();
resumeSession();

const place = document.getElementById('console');
if (place) {
  place.replaceChildren();
  render(<Frame />, place);
}
