import { emptyField, sampleField, type Field, type Point } from '../field';

/** A rotation of the image after which lines with the normal `angleRad` are vertical. */
export interface UprightFrame {
  readonly angleRad: number;
  readonly width: number;
  readonly height: number;
  toImage(x: number, y: number): Point;
}

export function uprightFrame(width: number, height: number, angleRad: number): UprightFrame {
  const cos = Math.cos(angleRad);
  const sin = Math.sin(angleRad);
  const uprightWidth = Math.ceil(Math.abs(width * cos) + Math.abs(height * sin));
  const uprightHeight = Math.ceil(Math.abs(width * sin) + Math.abs(height * cos));
  return {
    angleRad,
    width: uprightWidth,
    height: uprightHeight,
    toImage: (x, y) => {
      const across = x - (uprightWidth - 1) / 2;
      const along = y - (uprightHeight - 1) / 2;
      return { x: (width - 1) / 2 + across * cos - along * sin, y: (height - 1) / 2 + across * sin + along * cos };
    },
  };
}

export function turned(field: Field, frame: UprightFrame): Field {
  const result = emptyField(frame.width, frame.height);
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      const at = frame.toImage(x, y);
      result.data[y * frame.width + x] = sampleField(field, at.x, at.y);
    }
  }
  return result;
}
