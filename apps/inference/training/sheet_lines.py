"""Writes a contact sheet of rendered lines with their texts: python sheet_lines.py --fonts FOLDER --out sheet.png"""

import argparse

import cv2
import numpy as np

from sidewall.line import HEIGHT_PX, LONGEST_PX, render_line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--columns", type=int, default=3)
    args = parser.parse_args()
    row, column = HEIGHT_PX + 16, LONGEST_PX + 8
    sheet = np.zeros((row * args.rows, column * args.columns), np.uint8)
    for i in range(args.rows * args.columns):
        image, text, _ = render_line(args.first + i, args.fonts)
        y, x = (i % args.rows) * row, (i // args.rows) * column
        sheet[y : y + HEIGHT_PX, x : x + image.shape[1]] = image
        cv2.putText(sheet, text, (x, y + row - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.42, 255, 1, cv2.LINE_AA)
    cv2.imwrite(args.out, sheet)


if __name__ == "__main__":
    main()
