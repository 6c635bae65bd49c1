# Rounds as it is deployed: Node and the libraries that it needs, JavaScript and the console built from the sources, the packages
# that serving needs, and the migrations, laid out as in a clone. No shell, no npm, no package manager.
#   docker build --tag rounds --build-arg COMMIT="$(git rev-parse HEAD)" .
# `npm run lab image` builds it and runs it.
#
# For builds that repeat to the byte, name the image by digest:  --build-arg NODE_IMAGE=node:24.22.1-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.22.1-bookworm-slim

# The stages that run anything run on the machine that builds, whatever the image is for: what they leave is the same for every
# platform (a test holds the packages to it), so an image for arm64 needs no emulation.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY tools ./tools
COPY clients ./clients
RUN npm run build
# Last, so that another commit repeats no other step.
ARG COMMIT=unknown
RUN echo "$COMMIT" >commit.txt

# Types and source maps are of no use to a process that serves.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS packages
WORKDIR /packages
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f \( -name '*.ts' -o -name '*.[cm]ts' -o -name '*.map' \) -delete

# Node for the platform of the image. Nothing of it is run here.
FROM ${NODE_IMAGE} AS node

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS root
COPY deploy/image/collect-root.sh /
RUN --mount=type=bind,from=node,target=/node sh /collect-root.sh /node /root-of-image

FROM scratch
COPY --from=root /root-of-image /
ENV PATH=/usr/local/bin NODE_ENV=production
WORKDIR /app
COPY --from=packages /packages/node_modules ./node_modules
COPY package.json LICENSE NOTICE ./
COPY migrations ./migrations
# Without tools/: `rounds dev`, `rounds token` and `rounds simulate` need a clone.
COPY --from=build /build/dist/src ./src
# The client, for `rounds import`.
COPY --from=build /build/dist/clients ./clients
# The console, which is served where CONSOLE_CLIENT_ID is set.
COPY --from=build /build/dist/console ./dist/console
# For `rounds --version`, and for what reads labels.
COPY --from=build /build/commit.txt ./
ARG COMMIT=unknown
LABEL org.opencontainers.image.title=rounds org.opencontainers.image.licenses=Apache-2.0 org.opencontainers.image.revision="$COMMIT"

# The user "node", by number: Kubernetes cannot tell from a name that it is not root.
USER 1000:1000
EXPOSE 8080 9090
# Whether the process answers, not whether it is ready: restarting does not bring a database back.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT || 9090) + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The heap may take this share of the container's memory limit (of the machine's memory where there is none); the rest is for
# buffers, code and stacks.
ENTRYPOINT ["node", "--max-old-space-size-percentage=60", "src/cli.js"]
CMD ["serve"]
