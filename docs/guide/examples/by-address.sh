printf 'HTTPS address of the folder with the photographs: ' && read -r IMAGES
