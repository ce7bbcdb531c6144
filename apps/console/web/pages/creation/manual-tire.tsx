import { formatDepth } from '@tire/kernel/depths';
import { Input, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useTexts } from '../../i18n/language';
import type { Texts } from '../../i18n/en';
import type { Position } from '../reports/positions';
import { isOfSize, LIMITS, lowestTypedMm, typedSize, type Fault, type TypedTires, type Unusual } from './typed-values';

export const fieldName = (position: Position, groove: number | null): string => `${position}-${groove ?? 'size'}`;

export function faultText({ what }: Fault, { faults }: Texts['creation']['manual']): string {
  return what === 'range' ? faults.range(LIMITS.depthMm.min, LIMITS.depthMm.max) : faults[what];
}

export function unusualText(found: Unusual, { unusual }: Texts['creation']['manual'], language: string): string {
  return 'depthMm' in found ? unusual[found.what](found.depthMm.toLocaleString(language)) : unusual[found.what];
}

interface ManualTireProps {
  readonly position: Position;
  readonly tires: TypedTires;
  readonly faults: readonly Fault[];
  readonly unusual: readonly Unusual[];
  readonly onDepth: (groove: number, text: string) => void;
  readonly onSize: (text: string) => void;
}

export function ManualTireFields({ position, tires, faults, unusual, onDepth, onSize }: ManualTireProps) {
  const { creation: t, slots } = useTexts();
  const { language } = useLanguage();
  const depthFaults = faults.filter(({ groove }) => groove !== null);
  const oddDepths = unusual.filter((found) => !isOfSize(found));
  const notes = [
    ...depthFaults.slice(0, 1).map((fault) => faultText(fault, t.manual)),
    ...oddDepths.map((found) => unusualText(found, t.manual, language)),
  ];
  const notesId = `${position}-notes`;
  const lowestMm = lowestTypedMm(tires, position);
  return (
    <fieldset className="typed-tire">
      <legend>{slots.positions[position]}</legend>
      <div className="typed-grooves">
        {tires[position].depths.map((text, groove) => (
          <GrooveField
            key={groove}
            name={fieldName(position, groove)}
            groove={groove}
            grooves={tires[position].depths.length}
            text={text}
            faulty={depthFaults.some((fault) => fault.groove === groove)}
            notesId={notesId}
            onType={(typed) => onDepth(groove, typed)}
          />
        ))}
      </div>
      <SizeField position={position} tires={tires} faults={faults} unusual={unusual} onSize={onSize} />
      {lowestMm !== null && (
        <Text size="sm" className="typed-lowest">
          {t.manual.lowest(formatDepth(lowestMm))}
        </Text>
      )}
      <Text
        size="sm"
        id={notesId}
        role="status"
        c={depthFaults.length > 0 ? 'var(--mantine-color-error)' : undefined}
        className="typed-notes"
      >
        {notes.join(' ')}
      </Text>
    </fieldset>
  );
}

interface GrooveFieldProps {
  readonly name: string;
  readonly groove: number;
  readonly grooves: number;
  readonly text: string;
  readonly faulty: boolean;
  readonly notesId: string;
  readonly onType: (text: string) => void;
}

function GrooveField({ name, groove, grooves, text, faulty, notesId, onType }: GrooveFieldProps) {
  const { manual: t } = useTexts().creation;
  const end = groove === 0 ? t.outside : groove === grooves - 1 ? t.inside : '';
  return (
    <label className="typed-groove">
      <VisuallyHidden component="span">{t.groove} </VisuallyHidden>
      {groove + 1} {end}
      <Input
        name={name}
        withAria={false}
        aria-invalid={faulty}
        aria-describedby={notesId}
        error={faulty}
        inputMode="decimal"
        autoComplete="off"
        maxLength={6}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </label>
  );
}

function SizeField({ position, tires, faults, unusual, onSize }: Omit<ManualTireProps, 'onDepth'>) {
  const { creation: t } = useTexts();
  // An incomplete size is not an error while it is being typed.
  const [typing, setTyping] = useState(false);
  const fault = faults.find(({ groove, what }) => groove === null && !(typing && what === 'size'));
  const [odd] = unusual.filter(isOfSize);
  return (
    <TextInput
      name={fieldName(position, null)}
      className="typed-size"
      label={t.vehicle.optional(t.manual.size)}
      autoComplete="off"
      maxLength={32}
      value={typedSize(tires, position)}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      onChange={(event) => onSize(event.currentTarget.value)}
      error={fault ? faultText(fault, t.manual) : odd ? t.manual.unusual[odd.what] : undefined}
    />
  );
}
