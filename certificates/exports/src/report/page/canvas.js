// ---- A canvas: a drawing that can be moved and made larger. ----

const leastScale = 0.04;
const greatestScale = 3;

class Canvas {
  constructor(label) {
    this.layer = draw("g", {});
    this.svg = draw("svg", { class: "canvas", role: "group", "aria-label": label });
    this.svg.append(this.layer);
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.size = { width: 100, height: 100 };
    this.listen();
  }

  listen() {
    const { svg } = this;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey || event.deltaMode !== 0 || Math.abs(event.deltaY) >= 50) {
        const area = svg.getBoundingClientRect();
        this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - area.left, event.clientY - area.top);
      } else {
        this.move(-event.deltaX, -event.deltaY);
      }
    }, { passive: false });
    let from = null;
    svg.addEventListener("pointerdown", (event) => {
      if (event.button === 0) from = { x: event.clientX, y: event.clientY, moved: false };
    });
    svg.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [right, down] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.moved && Math.hypot(right, down) < 4) return;
      if (!from.moved) svg.setPointerCapture(event.pointerId);
      from = { x: event.clientX, y: event.clientY, moved: true };
      svg.classList.add("moving");
      this.move(right, down);
    });
    const end = () => {
      from = null;
      svg.classList.remove("moving");
    };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", end);
  }

  apply() {
    this.layer.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
  }

  move(right, down) {
    this.x += right;
    this.y += down;
    this.apply();
  }

  zoom(factor, atX = this.svg.clientWidth / 2, atY = this.svg.clientHeight / 2) {
    const scale = Math.min(greatestScale, Math.max(leastScale, this.scale * factor));
    this.x = atX - ((atX - this.x) * scale) / this.scale;
    this.y = atY - ((atY - this.y) * scale) / this.scale;
    this.scale = scale;
    this.apply();
  }

  // Shows the whole drawing; one that would be too small then is shown around an area of it.
  fit(least = leastScale, around = null) {
    const [width, height] = [this.svg.clientWidth, this.svg.clientHeight];
    if (width === 0 || height === 0) return;
    const { size } = this;
    this.scale = Math.max(least, Math.min(width / size.width, height / size.height, 1.25));
    this.x = (width - size.width * this.scale) / 2;
    this.y = Math.max((height - size.height * this.scale) / 2, 0);
    if (around !== null && size.width * this.scale > width) {
      const middle = width / 2 - (around.x + around.width / 2) * this.scale;
      this.x = Math.min(0, Math.max(width - size.width * this.scale, middle));
    }
    this.apply();
  }

  // Moves the drawing so that an area of it can be seen.
  reveal({ x, y, width, height }) {
    const [roomX, roomY] = [this.svg.clientWidth, this.svg.clientHeight];
    if (this.scale < 0.5) this.scale = 0.75;
    const shift = (at, length, room) => {
      const edge = 24;
      if (length + 2 * edge > room) return room / 2 - at - length / 2;
      if (at < edge) return edge - at;
      if (at + length > room - edge) return room - edge - at - length;
      return 0;
    };
    this.x += shift(this.x + x * this.scale, width * this.scale, roomX);
    this.y += shift(this.y + y * this.scale, height * this.scale, roomY);
    this.apply();
  }
}
