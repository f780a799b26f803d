import { useEffect, useRef } from 'preact/hooks';
import { shortcutTexts } from '../parts/shortcuts.ts';
import { changeSetting, type Setting, useSettings } from '../state/settings.ts';

const settingTexts: readonly (readonly [setting: Setting, meaning: string])[] = [
  ['keys', 'Single keys work'],
  ['undo', 'Each decision waits 5 seconds, and can be undone'],
];

/** What can be switched off, in this browser. */
const SettingsForm = () => {
  const settings = useSettings();
  return (
    <fieldset>
      <legend>In this browser</legend>
      {settingTexts.map(([setting, meaning]) => (
        <label key={setting} class="setting">
          <input
            type="checkbox"
            name={setting}
            checked={settings[setting]}
            onChange={(event) => changeSetting(setting, event.currentTarget.checked)}
          />
          {meaning}
        </label>
      ))}
    </fieldset>
  );
};

/** All keys, and what can be switched off, in a dialog. */
export const ShortcutHelp = ({ close }: { readonly close: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} class="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {shortcutTexts.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <SettingsForm />
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
};
