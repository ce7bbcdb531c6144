import type { ReportSlot } from '@tire/contracts';
import { Button, VisuallyHidden } from '@mantine/core';
import { useRef, useState, type DragEvent } from 'react';
import { useImage, type ReportAt } from '../../api/reports';
import { PHOTOGRAPH_TYPES } from '../../api/uploads';
import { useLanguage, useTexts } from '../../i18n/language';
import { useShownImage } from '../reports/shown-image';
import { slotState, type Sending } from './slot-state';

interface SlotTileProps {
  readonly at: ReportAt;
  readonly slot: ReportSlot;
  readonly sending: Sending | undefined;
  /** Whether the report still waits for one of its kind. */
  readonly isNeeded: boolean;
  readonly onFile: (file: File) => void;
  readonly onSeveral: () => void;
}

export function SlotTile({ at, slot, sending, isNeeded, onFile, onSeveral }: SlotTileProps) {
  const t = useTexts();
  const { language } = useLanguage();
  const type = t.slots.types[slot.slot.image_type];
  const name = t.creation.slot(t.slots.positions[slot.slot.position], type);
  const state = slotState(slot, sending, isNeeded, t, language);
  const drop = useDrop(([file, ...others]) => {
    if (others.length > 0) onSeveral();
    else if (file) onFile(file);
  });
  return (
    <div className="spot" data-tone={state.tone} data-over={drop.isOver || undefined} role="group" aria-label={name} {...drop.handlers}>
      <strong className="spot-type">{type}</strong>
      <SlotPicture at={at} slot={slot} sending={sending} label={t.slots.photographOf(name)} />
      <div className="spot-says" role="status">
        <VisuallyHidden>{name}: </VisuallyHidden>
        <span className="spot-text">{state.text}</span>
        {state.hints.map((hint) => (
          <p key={hint}>{hint}</p>
        ))}
      </div>
      {sending?.step === 'sending' && <progress value={sending.share} max={1} aria-label={t.creation.photographs.progressOf(name)} />}
      <SlotButtons
        name={name}
        hasPhotograph={slot.asset !== null}
        isFirst={isNeeded && state.tone === 'idle'}
        again={sending?.step === 'stopped' ? sending.again : null}
        onFile={onFile}
      />
    </div>
  );
}

function SlotPicture({ at, slot, sending, label }: Pick<SlotTileProps, 'at' | 'slot' | 'sending'> & { readonly label: string }) {
  const { photographs: t } = useTexts().creation;
  const preview = previewOf(slot, sending);
  if (preview) return <img className="spot-picture" src={preview} alt={label} />;
  if (slot.asset) return <StoredPicture key={slot.asset.asset_id} at={at} assetId={slot.asset.asset_id} label={label} />;
  return <div className="spot-picture spot-empty">{t.drop}</div>;
}

/** What was just chosen here is not fetched again, as long as nobody replaced it from elsewhere. */
function previewOf({ asset }: ReportSlot, sending: Sending | undefined): string | null {
  if (!sending || sending.step === 'stopped') return null;
  return sending.step !== 'known' || sending.assetId === asset?.asset_id ? sending.preview : null;
}

function StoredPicture({ at, assetId, label }: { at: ReportAt; assetId: string; label: string }) {
  const t = useTexts();
  const image = useImage(at, assetId);
  const { src, broken, onLoad, onError, retry } = useShownImage(image);
  if (broken)
    return (
      <div className="spot-picture spot-broken">
        {t.slots.notShown}
        <Button size="compact-xs" variant="default" aria-label={`${t.common.again}: ${label}`} loading={image.isFetching} onClick={retry}>
          {t.common.again}
        </Button>
      </div>
    );
  if (src === undefined) return <div className="spot-picture" />;
  return <img className="spot-picture" src={src} alt={label} decoding="async" loading="lazy" onLoad={onLoad} onError={onError} />;
}

interface SlotButtonsProps {
  readonly name: string;
  readonly hasPhotograph: boolean;
  readonly isFirst: boolean;
  readonly again: File | null;
  readonly onFile: (file: File) => void;
}

function SlotButtons({ name, hasPhotograph, isFirst, again, onFile }: SlotButtonsProps) {
  const { photographs: t } = useTexts().creation;
  const choose = hasPhotograph ? t.replace : t.choose;
  return (
    <div className="spot-buttons">
      {again && (
        <Button size="xs" fullWidth aria-label={t.buttonOf(t.again, name)} onClick={() => onFile(again)}>
          {t.again}
        </Button>
      )}
      <FromFile label={choose} name={name} isFirst={isFirst} onFile={onFile} />
      <FromFile label={t.camera} name={name} isFirst={isFirst} onFile={onFile} camera />
    </div>
  );
}

interface FromFileProps extends Pick<SlotButtonsProps, 'name' | 'isFirst' | 'onFile'> {
  readonly label: string;
  readonly camera?: boolean;
}

/** A button of its own, for the field of a browser has the words of the browser's language. */
function FromFile({ label, name, isFirst, onFile, camera }: FromFileProps) {
  const { photographs: t } = useTexts().creation;
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={camera ? 'spot-camera' : undefined}>
      <Button
        size="xs"
        fullWidth
        variant={isFirst ? 'light' : 'default'}
        aria-label={t.buttonOf(label, name)}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={PHOTOGRAPH_TYPES.join()}
        capture={camera ? 'environment' : undefined}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // The same file may be chosen once more.
          currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </div>
  );
}

function useDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false);
  const leave = () => setOver(false);
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      },
      onDragLeave: leave,
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        leave();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
