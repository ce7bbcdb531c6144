import type { ReportSlot } from '@tire/contracts/api';
import { Button, VisuallyHidden } from '@mantine/core';
import { useRef, useState, type DragEvent } from 'react';
import { useImage, type ReportAt } from '../../api/reports';
import { IMAGE_TYPES_ACCEPTED } from '../../api/uploads';
import { useLanguage, useTexts } from '../../i18n/language';
import { useShownImage } from '../reports/shown-image';
import { slotState, type Sending } from './slot-state';

interface SlotTileProps {
  readonly at: ReportAt;
  readonly slot: ReportSlot;
  readonly sending: Sending | undefined;
  /** Whether the report still needs an image of this type. */
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
      <SlotImage at={at} slot={slot} sending={sending} label={t.slots.imageOf(name)} />
      <div className="spot-status" role="status">
        <VisuallyHidden>{name}: </VisuallyHidden>
        <span className="spot-text">{state.text}</span>
        {state.hints.map((hint) => (
          <p key={hint}>{hint}</p>
        ))}
      </div>
      {sending?.step === 'sending' && <progress value={sending.share} max={1} aria-label={t.creation.images.progressOf(name)} />}
      <SlotButtons
        name={name}
        hasImage={slot.asset !== null}
        isFirst={isNeeded && state.tone === 'idle'}
        again={sending?.step === 'stopped' ? sending.again : null}
        onFile={onFile}
      />
    </div>
  );
}

function SlotImage({ at, slot, sending, label }: Pick<SlotTileProps, 'at' | 'slot' | 'sending'> & { readonly label: string }) {
  const { images: t } = useTexts().creation;
  const preview = previewOf(slot, sending);
  if (preview) return <img className="spot-image" src={preview} alt={label} />;
  if (slot.asset) return <StoredImage key={slot.asset.asset_id} at={at} assetId={slot.asset.asset_id} label={label} />;
  return <div className="spot-image spot-empty">{t.drop}</div>;
}

/** Shows the local file until another device replaces the image. */
function previewOf({ asset }: ReportSlot, sending: Sending | undefined): string | null {
  if (!sending || sending.step === 'stopped') return null;
  return sending.step !== 'known' || sending.assetId === asset?.asset_id ? sending.preview : null;
}

function StoredImage({ at, assetId, label }: { at: ReportAt; assetId: string; label: string }) {
  const t = useTexts();
  const image = useImage(at, assetId);
  const { src, broken, onLoad, onError, retry } = useShownImage(image);
  if (broken)
    return (
      <div className="spot-image spot-broken">
        {t.slots.notShown}
        <Button size="compact-xs" variant="default" aria-label={`${t.common.again}: ${label}`} loading={image.isFetching} onClick={retry}>
          {t.common.again}
        </Button>
      </div>
    );
  if (src === undefined) return <div className="spot-image" />;
  return <img className="spot-image" src={src} alt={label} decoding="async" loading="lazy" onLoad={onLoad} onError={onError} />;
}

interface SlotButtonsProps {
  readonly name: string;
  readonly hasImage: boolean;
  readonly isFirst: boolean;
  readonly again: File | null;
  readonly onFile: (file: File) => void;
}

function SlotButtons({ name, hasImage, isFirst, again, onFile }: SlotButtonsProps) {
  const { images: t } = useTexts().creation;
  const choose = hasImage ? t.replace : t.choose;
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

/** A separate button, because the file field has its label in the language of the browser. */
function FromFile({ label, name, isFirst, onFile, camera }: FromFileProps) {
  const { images: t } = useTexts().creation;
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
        accept={IMAGE_TYPES_ACCEPTED.join()}
        capture={camera ? 'environment' : undefined}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // Allows choosing the same file again.
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
