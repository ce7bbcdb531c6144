import type { ReportSlot, TreadResult } from '@tire/contracts';
import { drawnAsShown, transformOf } from '@tire/kernel/orientation';
import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useImage, type ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { useShownImage } from './shown-image';

/** How a photograph is turned and flipped for display, and what is drawn into it: in the pixels as they are stored. */
export interface Drawn {
  readonly degrees: number;
  readonly mirrored: boolean;
  readonly masks: TreadResult['groove_masks'];
  readonly roi: TreadResult['tread_roi']['bbox_xyxy_norm'];
}

interface PhotographProps {
  readonly at: ReportAt;
  readonly asset: NonNullable<ReportSlot['asset']>;
  readonly label: string;
  readonly drawn: Drawn;
  readonly showsGrooves: boolean;
}

export function Photograph({ at, asset, label, drawn, showsGrooves }: PhotographProps) {
  const t = useTexts();
  const image = useImage(at, asset.asset_id);
  const { src, broken, onLoad, onError, retry } = useShownImage(image);
  if (broken)
    return (
      <NoPhotograph text={t.slots.notShown}>
        <Button size="xs" variant="default" aria-label={t.slots.actionOf(t.common.again, label)} loading={image.isFetching} onClick={retry}>
          {t.common.again}
        </Button>
      </NoPhotograph>
    );
  if (!image.data || src === undefined) return <Skeleton className="photo" />;
  const { orientation, url } = image.data;
  return (
    <>
      <div className="photo">
        <div className="photo-turn" style={{ transform: transformOf(orientation, drawn.degrees, drawn.mirrored) }}>
          <img src={src} alt={t.slots.photographOf(label)} decoding="async" loading="lazy" onLoad={onLoad} onError={onError} />
          {showsGrooves && <Grooves drawn={drawn} orientation={orientation} />}
        </div>
      </div>
      <Anchor href={url} target="_blank" rel="noreferrer" size="sm" aria-label={t.slots.fullOf(label)}>
        {t.slots.full}
      </Anchor>
    </>
  );
}

export function NoPhotograph({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="photo photo-none">
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {children}
    </div>
  );
}

/** Silent: the depths stand below. */
function Grooves({ drawn: { masks, roi }, orientation }: { drawn: Drawn; orientation: number }) {
  return (
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <g transform={`matrix(${drawnAsShown(orientation)})`}>
        {roi && <rect className="roi" x={roi[0]} y={roi[1]} width={roi[2] - roi[0]} height={roi[3] - roi[1]} />}
        {masks.map(({ polygon_xy_norm }, index) => (
          <polygon key={index} points={polygon_xy_norm.map(([x, y]) => `${x},${y}`).join(' ')} />
        ))}
      </g>
    </svg>
  );
}
